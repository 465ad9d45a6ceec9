import type { Text } from '../../text/catalogue.ts'
import type en from './en.ts'
import { KINDS } from './model/kinds.ts'

/** What a type of node is called. */
export const typeWords = (t: Text<typeof en>, type: string): string =>
  type in KINDS ? t(`type-${type.replaceAll(/\W/g, '-')}` as keyof typeof en) : type

/** What a way out is called: the words of the interface's own, or the name somebody gave. */
export const outputWords = (t: Text<typeof en>, label: string): string => {
  const key = `out-${label}`
  return ['next', 'then', 'else', 'timeoutNext', 'default', 'empty', 'holdoutNext', 'failure'].includes(label)
    ? t(key as keyof typeof en)
    : label
}
