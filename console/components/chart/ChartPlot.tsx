import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { type LocaleFormat, useLocaleFormat } from '../../text/format.ts'
import { useLocale } from '../../text/locale.ts'
import type { ChartProps, ChartSeries } from './chart-props.ts'
import { chartLineLabels, chartMarks, chartTooltip, measureLabelWidth } from './plugins.ts'
import styles from './TimeChart.module.css'

const HATCH_PX = 6

/** A colour of tokens.css, as the scheme has it now. */
export function readThemeColour(name: string): string {
  const probeElement = document.createElement('span')
  probeElement.style.color = `var(${name})`
  document.body.append(probeElement)
  const { color } = getComputedStyle(probeElement)
  probeElement.remove()
  return color
}

function createHatchPattern(colour: string): CanvasPattern | string {
  const hatchTile = new OffscreenCanvas(HATCH_PX, HATCH_PX)
  const tileContext = hatchTile.getContext('2d')
  if (!tileContext) return colour
  tileContext.strokeStyle = colour
  tileContext.lineWidth = 1.5
  for (const from of [-HATCH_PX, 0, HATCH_PX]) {
    tileContext.moveTo(from, HATCH_PX)
    tileContext.lineTo(from + HATCH_PX, 0)
  }
  tileContext.stroke()
  return tileContext.createPattern(hatchTile, 'repeat') ?? colour
}

function toPlotSeries({ label, isHatched = false, colour }: ChartSeries, place: number, asBars: boolean): UPlot.Series {
  const stroke = readThemeColour(`--series-${colour ?? (place % 8) + 1}`)
  const fill = isHatched
    ? createHatchPattern(stroke)
    : asBars
      ? stroke
      : `color-mix(in srgb, ${stroke} 9%, transparent)`
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
function formatTimeTicks(tag: string, timeZone: string): UPlot.Axis['values'] {
  const [hourFormat, days, monthFormat] = [
    new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', timeZone }),
    new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone }),
    new Intl.DateTimeFormat(tag, { month: 'short', year: 'numeric', timeZone }),
  ]
  return (_plot, splits, _axis, _space, step) => {
    const tickFormat = step >= MONTH_SECONDS ? monthFormat : step >= DAY_SECONDS ? days : hourFormat
    return splits.map((seconds) => tickFormat.format(seconds * 1000))
  }
}

function createAxes(format: LocaleFormat, tag: string, isPercent: boolean): UPlot.Axis[] {
  const [stroke, line] = [readThemeColour('--ink-2'), readThemeColour('--line')]
  const font = '11px "Inter Variable", sans-serif'
  return [
    {
      stroke,
      font,
      grid: { show: false },
      ticks: { stroke: line, width: 1, size: 4 },
      values: formatTimeTicks(tag, format.zone),
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
function computeBarRange({ data: [times] }: UPlot, first: number, last: number): UPlot.Range.MinMax {
  const halfBarWidth = ((times?.[1] ?? first) - (times?.[0] ?? first)) / 2
  return [first - halfBarWidth, last + halfBarWidth]
}

interface PlotLocale {
  format: LocaleFormat
  tag: string
}

function createPlotOptions(props: ChartProps, { format, tag }: PlotLocale, box: HTMLElement): UPlot.Options {
  const { series, as = 'lines', marks = [], isPercent = false, height = 220 } = props
  return {
    width: Math.max(box.clientWidth, 100),
    height,
    legend: { show: false },
    cursor: { drag: { setScale: false }, points: { size: 6 } },
    padding: [10, as === 'lines' ? measureLabelWidth(series.map(({ label }) => label)) : 8, 0, 0],
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), format.zone),
    scales: {
      ...(as === 'bars' && { x: { range: computeBarRange } }),
      y: { range: (_plot, _least, most) => [0, Math.max(most * 1.08, isPercent ? 0.01 : 1)] },
    },
    axes: createAxes(format, tag, isPercent),
    series: [{}, ...series.map((chartSeries, place) => toPlotSeries(chartSeries, place, as === 'bars'))],
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
  const boxRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = boxRef.current
    if (!element) return
    const data = [props.times.map((at) => at / 1000), ...props.series.map(({ values }) => [...values])]
    let plot: UPlot | undefined
    const drawPlot = (): void => {
      plot?.destroy()
      plot = new UPlot(createPlotOptions(props, { format, tag }, element), data as UPlot.AlignedData, element)
    }
    drawPlot()
    const resizeObserver = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: props.height ?? 220 }),
    )
    resizeObserver.observe(element)
    // Its colours are those of the moment it is drawn.
    const schemeObserver = new MutationObserver(drawPlot)
    schemeObserver.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      resizeObserver.disconnect()
      schemeObserver.disconnect()
      plot?.destroy()
    }
  }, [props, format, tag])
  return <div ref={boxRef} className={styles['plot']} />
}
