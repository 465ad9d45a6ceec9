import { useMemo } from 'react'
import { useText } from '../../../text/catalogue.ts'
import { useLocale } from '../../../text/locale.ts'
import { fieldTexts } from '../fields/texts.ts'
import { eventWords } from '../fields/words.ts'
import type { Words } from '../model/kinds.ts'

/** How the line of a node says its settings, in the person's language. */
export function useLineWords(): Words {
  const t = useText(fieldTexts)
  const { tag } = useLocale()
  return useMemo(
    () => ({
      event: (type) => eventWords(t, type),
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
