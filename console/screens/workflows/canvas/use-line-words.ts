import { useMemo } from 'react'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocale } from '../../../text/locale.ts'
import { workflowFieldTexts } from '../fields/texts.ts'
import { workflowEventLabel } from '../fields/words.ts'
import type { NodeSummaryLabels } from '../model/kinds.ts'

/** How the line of a node says its settings, in the person's language. */
export function useNodeSummaryLabels(): NodeSummaryLabels {
  const t = useTranslator(workflowFieldTexts)
  const { tag } = useLocale()
  return useMemo(
    () => ({
      event: (type) => workflowEventLabel(t, type),
      period: (value, unit) => {
        const style = { style: 'unit', unit: unit.toLowerCase(), unitDisplay: 'long' } as const
        try {
          return new Intl.NumberFormat(tag, style).format(value)
        } catch {
          return `${value} ${unit}`
        }
      },
    }),
    [t, tag],
  )
}
