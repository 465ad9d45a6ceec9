import { useTranslator } from '../../text/catalogue.ts'
import { importTexts } from './texts.ts'

const ENCODINGS = [
  'utf-8',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'iso-8859-15',
  'macroman',
  'utf-16le',
  'utf-16be',
] as const

/** Returns a function that lists the offered encodings and the present one, with their labels. */
export function useImportEncodings() {
  const t = useTranslator(importTexts)
  const encodingOptions = ENCODINGS.map((value) => ({ value: value as string, label: t(`encoding.${value}`) }))
  return (present: string): { value: string; label: string }[] =>
    encodingOptions.some(({ value }) => value === present)
      ? encodingOptions
      : [...encodingOptions, { value: present, label: present }]
}
