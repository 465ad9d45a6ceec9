import { useTranslator } from '../../../text/catalogue.ts'
import { importSettingsTexts } from '../settings/texts.ts'

const COMMON_SEPARATORS = [59, 44, 9, 124]

/** Separators that are offered, and what a character is called. */
export function useColumnSeparators() {
  const t = useTranslator(importSettingsTexts)
  const formatSeparator = (code: number): string =>
    code === 0 ? t('found') : code === 9 ? t('tab') : String.fromCharCode(code)
  const listChoices = (currentCode: number): { value: string; label: string }[] =>
    [...new Set([0, ...COMMON_SEPARATORS, currentCode])].map((code) => ({
      value: String(code),
      label: formatSeparator(code),
    }))
  return { nameOf: formatSeparator, choices: listChoices }
}
