import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { type LocaleFormat, useLocaleFormat } from '../../text/format.ts'
import { useLocale } from '../../text/locale.ts'
import { chartLineLabels, chartMarks, chartTooltip, measureLabelWidth } from './plugins.ts'
import styles from './TimeChart.module.css'
import type { ChartProps, ChartSeries } from './TimeChart.tsx'

const HATCH_PX = 6

/** A colour of tokens.css, as the scheme has it now. */
export function readThemeColour(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function hatched(colour: string): CanvasPattern | string {
  const tile = new OffscreenCanvas(HATCH_PX, HATCH_PX)
  const pen = tile.getContext('2d')
  if (!pen) return colour
  pen.strokeStyle = colour
  pen.lineWidth = 1.5
  for (const from of [-HATCH_PX, 0, HATCH_PX]) {
    pen.moveTo(from, HATCH_PX)
    pen.lineTo(from + HATCH_PX, 0)
  }
  pen.stroke()
  return pen.createPattern(tile, 'repeat') ?? colour
}

function drawn({ label, isHatched = false, colour }: ChartSeries, place: number, asBars: boolean): UPlot.Series {
  const stroke = readThemeColour(`--series-${colour ?? (place % 8) + 1}`)
  const fill = isHatched ? hatched(stroke) : asBars ? stroke : `color-mix(in srgb, ${stroke} 9%, transparent)`
  return {
    label,
    stroke,
    width: asBars ? 1 : 2,
    fill: () => fill as string,
    points: { show: false },
    ...(isHatched && !asBars && { dash: [4, 3] }),
    ...(asBars && UPlot.paths.bars && { paths: UPlot.paths.bars({ size: [0.7, 40], align: 0 }) }),
  }
}

const DAY_SECONDS = 24 * 3600
const MONTH_SECONDS = 28 * DAY_SECONDS

/** Ticks of the time axis as the locale writes them, as exact as their distance asks for. */
function timeTicks(tag: string, timeZone: string): UPlot.Axis['values'] {
  const [hours, days, months] = [
    new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', timeZone }),
    new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone }),
    new Intl.DateTimeFormat(tag, { month: 'short', year: 'numeric', timeZone }),
  ]
  return (_plot, splits, _axis, _space, step) => {
    const words = step >= MONTH_SECONDS ? months : step >= DAY_SECONDS ? days : hours
    return splits.map((seconds) => words.format(seconds * 1000))
  }
}

function axes(format: LocaleFormat, tag: string, isPercent: boolean): UPlot.Axis[] {
  const [stroke, line] = [readThemeColour('--ink-2'), readThemeColour('--line')]
  const font = '11px "Inter Variable", sans-serif'
  return [
    {
      stroke,
      font,
      grid: { show: false },
      ticks: { stroke: line, width: 1, size: 4 },
      values: timeTicks(tag, format.zone),
    },
    {
      stroke,
      font,
      size: 46,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      values: (_plot, splits) => splits.map((value) => (isPercent ? format.percent(value, 0) : format.short(value))),
    },
  ]
}

/** From half a bar before the first to half a bar after the last. */
function wholeBars({ data: [times] }: UPlot, first: number, last: number): UPlot.Range.MinMax {
  const half = ((times?.[1] ?? first) - (times?.[0] ?? first)) / 2
  return [first - half, last + half]
}

interface Written {
  format: LocaleFormat
  tag: string
}

function optionsOf(props: ChartProps, { format, tag }: Written, box: HTMLElement): UPlot.Options {
  const { series, as = 'lines', marks = [], isPercent = false, height = 220 } = props
  return {
    width: Math.max(box.clientWidth, 100),
    height,
    legend: { show: false },
    cursor: { drag: { setScale: false }, points: { size: 6 } },
    padding: [10, as === 'lines' ? measureLabelWidth(series.map(({ label }) => label)) : 8, 0, 0],
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), format.zone),
    scales: {
      ...(as === 'bars' && { x: { range: wholeBars } }),
      y: { range: (_plot, _least, most) => [0, Math.max(most * 1.08, isPercent ? 0.01 : 1)] },
    },
    axes: axes(format, tag, isPercent),
    series: [{}, ...series.map((one, place) => drawn(one, place, as === 'bars'))],
    plugins: [
      chartTooltip(props, format),
      chartMarks(marks, readThemeColour('--accent')),
      ...(as === 'lines' ? [chartLineLabels()] : []),
    ],
  }
}

/** The drawing itself; uPlot comes with this file alone. */
export default function ChartPlot(props: ChartProps) {
  const format = useLocaleFormat()
  const { tag } = useLocale()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const data = [props.times.map((at) => at / 1000), ...props.series.map(({ values }) => [...values])]
    let plot: UPlot | undefined
    const draw = (): void => {
      plot?.destroy()
      plot = new UPlot(optionsOf(props, { format, tag }, element), data as UPlot.AlignedData, element)
    }
    draw()
    const sized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: props.height ?? 220 }))
    sized.observe(element)
    // Its colours are those of the moment it is drawn.
    const coloured = new MutationObserver(draw)
    coloured.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      sized.disconnect()
      coloured.disconnect()
      plot?.destroy()
    }
  }, [props, format, tag])
  return <div ref={box} className={styles['plot']} />
}
