import type UPlot from 'uplot'
import type { LocaleFormat } from '../../text/format.ts'
import type { ChartProps } from './chart-props.ts'
import styles from './TimeChart.module.css'

/** All series of the instant under the pointer. */
export function chartTooltip({ series, isPercent = false }: ChartProps, format: LocaleFormat): UPlot.Plugin {
  let tooltip: HTMLElement | undefined
  const updateTooltip = (plot: UPlot): void => {
    const { idx, left: cursorLeft = 0, top = 0 } = plot.cursor
    if (!tooltip || idx === null || idx === undefined || cursorLeft < 0)
      return void (tooltip && (tooltip.hidden = true))
    const rows = series.map(({ label }, place) => {
      const value = plot.data[place + 1]?.[idx]
      const row = document.createElement('div')
      const formattedValue =
        value === null || value === undefined ? '' : isPercent ? format.percent(value) : format.number(value)
      row.append(label, Object.assign(document.createElement('b'), { textContent: formattedValue }))
      return row
    })
    const timeLabel = Object.assign(document.createElement('small'), {
      textContent: format.dateTime((plot.data[0]?.[idx] ?? 0) * 1000),
    })
    tooltip.replaceChildren(timeLabel, ...rows)
    tooltip.hidden = false
    const isRightHalf = cursorLeft > plot.over.clientWidth / 2
    tooltip.style.transform = `translate(${isRightHalf ? `calc(${cursorLeft - 12}px - 100%)` : `${cursorLeft + 12}px`}, ${Math.max(top - 40, 0)}px)`
  }
  return {
    hooks: {
      init: (plot) => {
        tooltip = Object.assign(document.createElement('div'), { className: styles['tip'], hidden: true })
        plot.over.append(tooltip)
      },
      setCursor: updateTooltip,
    },
  }
}

/** Thin marks on the time axis, in seconds of the scale. */
export function chartMarks(marks: readonly number[], colour: string): UPlot.Plugin {
  return {
    hooks: {
      draw: ({ ctx, bbox, valToPos }) => {
        ctx.save()
        ctx.strokeStyle = colour
        ctx.lineWidth = devicePixelRatio
        for (const markerTime of marks) {
          const markerX = Math.round(valToPos(markerTime / 1000, 'x', true))
          if (markerX < bbox.left || markerX > bbox.left + bbox.width) continue
          ctx.beginPath()
          ctx.moveTo(markerX, bbox.top + bbox.height - 8 * devicePixelRatio)
          ctx.lineTo(markerX, bbox.top + bbox.height)
          ctx.stroke()
        }
        ctx.restore()
      },
    },
  }
}

const LABEL_FONT_FAMILY = '"Inter Variable", sans-serif'
const LABEL_SIZE_PX = 11
/** Between a line and its label, and after it: pixels. */
const LABEL_GAP_PX = 6

/** Width in pixels of the labels at the ends of lines. */
export function measureLabelWidth(labels: readonly string[]): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = `${LABEL_SIZE_PX}px ${LABEL_FONT_FAMILY}`
  return Math.ceil(Math.max(...labels.map((label) => context.measureText(label).width)) + 2 * LABEL_GAP_PX)
}

/** The name of each line at its end, moved apart where they meet. */
export function chartLineLabels(): UPlot.Plugin {
  return {
    hooks: {
      draw: ({ ctx, bbox, valToPos, series, data }) => {
        const labelHeight = 14 * devicePixelRatio
        const lineEnds = series.slice(1).flatMap(({ label, stroke }, place) => {
          const values = data[place + 1] ?? []
          const lastValue = [...values].findLast((value) => value !== null && value !== undefined)
          const colour = typeof stroke === 'function' ? stroke({} as UPlot, place) : stroke
          return lastValue === undefined || lastValue === null
            ? []
            : [{ label: String(label), colour, y: valToPos(lastValue, 'y', true) }]
        })
        lineEnds.sort((a, b) => b.y - a.y)
        ctx.save()
        ctx.font = `${LABEL_SIZE_PX * devicePixelRatio}px ${LABEL_FONT_FAMILY}`
        ctx.textBaseline = 'middle'
        ctx.textAlign = 'left'
        let nextLabelY = Number.POSITIVE_INFINITY
        for (const { label, colour, y } of lineEnds) {
          nextLabelY = Math.min(y, nextLabelY - labelHeight)
          ctx.fillStyle = colour as string
          ctx.fillText(label, bbox.left + bbox.width + LABEL_GAP_PX * devicePixelRatio, nextLabelY)
        }
        ctx.restore()
      },
    },
  }
}
