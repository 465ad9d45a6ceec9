import type UPlot from 'uplot'
import type { LocaleFormat } from '../../text/format.ts'
import styles from './TimeChart.module.css'
import type { ChartProps } from './TimeChart.tsx'

/** All series of the instant under the pointer. */
export function chartTooltip({ series, isPercent = false }: ChartProps, format: LocaleFormat): UPlot.Plugin {
  let tip: HTMLElement | undefined
  const write = (plot: UPlot): void => {
    const { idx, left = 0, top = 0 } = plot.cursor
    if (!tip || idx === null || idx === undefined || left < 0) return void (tip && (tip.hidden = true))
    const rows = series.map(({ label }, place) => {
      const value = plot.data[place + 1]?.[idx]
      const row = document.createElement('div')
      const shown =
        value === null || value === undefined ? '' : isPercent ? format.percent(value) : format.number(value)
      row.append(label, Object.assign(document.createElement('b'), { textContent: shown }))
      return row
    })
    const at = Object.assign(document.createElement('small'), {
      textContent: format.dateTime((plot.data[0]?.[idx] ?? 0) * 1000),
    })
    tip.replaceChildren(at, ...rows)
    tip.hidden = false
    const isRight = left > plot.over.clientWidth / 2
    tip.style.transform = `translate(${isRight ? `calc(${left - 12}px - 100%)` : `${left + 12}px`}, ${Math.max(top - 40, 0)}px)`
  }
  return {
    hooks: {
      init: (plot) => {
        tip = Object.assign(document.createElement('div'), { className: styles['tip'], hidden: true })
        plot.over.append(tip)
      },
      setCursor: write,
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
        for (const at of marks) {
          const x = Math.round(valToPos(at / 1000, 'x', true))
          if (x < bbox.left || x > bbox.left + bbox.width) continue
          ctx.beginPath()
          ctx.moveTo(x, bbox.top + bbox.height - 8 * devicePixelRatio)
          ctx.lineTo(x, bbox.top + bbox.height)
          ctx.stroke()
        }
        ctx.restore()
      },
    },
  }
}

const LABEL_FONT = '"Inter Variable", sans-serif'
const LABEL_SIZE = 11
/** Between a line and its label, and after it: pixels. */
const LABEL_GAP = 6

/** How many pixels the labels at the ends of lines take. */
export function measureLabelWidth(labels: readonly string[]): number {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = `${LABEL_SIZE}px ${LABEL_FONT}`
  return Math.ceil(Math.max(...labels.map((label) => context.measureText(label).width)) + 2 * LABEL_GAP)
}

/** The name of each line at its end, moved apart where they meet. */
export function chartLineLabels(): UPlot.Plugin {
  return {
    hooks: {
      draw: ({ ctx, bbox, valToPos, series, data }) => {
        const gap = 14 * devicePixelRatio
        const ends = series.slice(1).flatMap(({ label, stroke }, place) => {
          const values = data[place + 1] ?? []
          const last = [...values].findLast((value) => value !== null && value !== undefined)
          const colour = typeof stroke === 'function' ? stroke({} as UPlot, place) : stroke
          return last === undefined || last === null
            ? []
            : [{ label: String(label), colour, y: valToPos(last, 'y', true) }]
        })
        ends.sort((a, b) => b.y - a.y)
        ctx.save()
        ctx.font = `${LABEL_SIZE * devicePixelRatio}px ${LABEL_FONT}`
        ctx.textBaseline = 'middle'
        ctx.textAlign = 'left'
        let below = Number.POSITIVE_INFINITY
        for (const { label, colour, y } of ends) {
          below = Math.min(y, below - gap)
          ctx.fillStyle = colour as string
          ctx.fillText(label, bbox.left + bbox.width + LABEL_GAP * devicePixelRatio, below)
        }
        ctx.restore()
      },
    },
  }
}
