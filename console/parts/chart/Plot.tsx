import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { type Format, useFormat } from '../../text/format.ts'
import styles from './Chart.module.css'
import type { ChartProps, Series } from './Chart.tsx'
import { labelled, marked, tooltip } from './plugins.ts'

const HATCH_PX = 6

/** A colour of tokens.css, as the scheme has it now. */
export function colourOf(name: string): string {
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

function drawn({ label, isHatched = false, colour }: Series, place: number, asBars: boolean): UPlot.Series {
  const stroke = colourOf(`--series-${colour ?? (place % 8) + 1}`)
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

function axes(format: Format, isPercent: boolean): UPlot.Axis[] {
  const [stroke, line] = [colourOf('--ink-2'), colourOf('--line')]
  const font = '11px "Inter Variable", sans-serif'
  return [
    { stroke, font, grid: { show: false }, ticks: { stroke: line, width: 1, size: 4 } },
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

function optionsOf(props: ChartProps, format: Format, box: HTMLElement): UPlot.Options {
  const { series, as = 'lines', marks = [], isPercent = false, height = 220 } = props
  return {
    width: Math.max(box.clientWidth, 100),
    height,
    legend: { show: false },
    cursor: { drag: { setScale: false }, points: { size: 6 } },
    padding: [10, as === 'lines' ? 84 : 8, 0, 0],
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), format.zone),
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(most * 1.08, isPercent ? 0.01 : 1)] } },
    axes: axes(format, isPercent),
    series: [{}, ...series.map((one, place) => drawn(one, place, as === 'bars'))],
    plugins: [tooltip(props, format), marked(marks, colourOf('--accent')), ...(as === 'lines' ? [labelled()] : [])],
  }
}

/** The drawing itself; uPlot comes with this file alone. */
export default function Plot(props: ChartProps) {
  const format = useFormat()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const data = [props.times.map((at) => at / 1000), ...props.series.map(({ values }) => [...values])]
    let plot: UPlot | undefined
    const draw = (): void => {
      plot?.destroy()
      plot = new UPlot(optionsOf(props, format, element), data as UPlot.AlignedData, element)
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
  }, [props, format])
  return <div ref={box} className={styles['plot']} />
}
