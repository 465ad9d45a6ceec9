import { useMemo } from 'react'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocale } from '../../../text/locale.ts'
import { workflowFieldTexts } from '../fields/texts.ts'
import { workflowEventLabel } from '../fields/words.ts'
import type { NodeSummaryLabels } from '../model/node-summary.ts'

/** Labels for the one-line summary of node settings, in the language of the user. */
export function useNodeSummaryLabels(): NodeSummaryLabels {
  const t = useTranslator(workflowFieldTexts)
  const { tag } = useLocale()
  return useMemo(
    () => ({
      event: (type) => workflowEventLabel(t, type),
      period: (value, unit) => {
        const unitStyle = { style: 'unit', unit: unit.toLowerCase(), unitDisplay: 'long' } as const
        try {
          return new Intl.NumberFormat(tag, unitStyle).format(value)
        } catch {
          return `${value} ${unit}`
        }
      },
    }),
    [t, tag],
  )
}
