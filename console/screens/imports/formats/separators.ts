import { useTranslator } from '../../../text/catalogue.ts'
import { importSettingsTexts } from '../settings/texts.ts'

const KNOWN = [59, 44, 9, 124]

/** Separators that are offered, and what a character is called. */
export function useColumnSeparators() {
  const t = useTranslator(importSettingsTexts)
  const nameOf = (code: number): string => (code === 0 ? t('found') : code === 9 ? t('tab') : String.fromCharCode(code))
  const choices = (own: number): { value: string; label: string }[] =>
    [...new Set([0, ...KNOWN, own])].map((code) => ({ value: String(code), label: nameOf(code) }))
  return { nameOf, choices }
}
