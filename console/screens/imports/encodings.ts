import { useText } from '../../text/catalogue.ts'
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

/** Encodings of files that are offered, and the present one, by their names. */
export function useEncodings() {
  const t = useText(importTexts)
  const known = ENCODINGS.map((value) => ({ value: value as string, label: t(`encoding.${value}`) }))
  return (present: string): { value: string; label: string }[] =>
    known.some(({ value }) => value === present) ? known : [...known, { value: present, label: present }]
}
