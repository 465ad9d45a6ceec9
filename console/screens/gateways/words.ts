import type { Translator } from '../../text/catalogue.ts'
import { useTranslator } from '../../text/catalogue.ts'
import en from './en.ts'
import type { ApiGatewayChannel } from './model.ts'
import { gatewayTexts } from './texts.ts'

type TextKey = keyof typeof en

const isTextKey = (key: string): key is TextKey => key in en
const toKeyPart = (name: string): string => name.replaceAll(/\W/g, '_')

/** Labels for the names in gateway definitions; a setting without a label is shown by its name. */
export interface GatewayLabels {
  t: Translator<typeof en>
  channel(channel: ApiGatewayChannel): string
  kind(kind: string): string
  kindWhy(kind: string): string
  label(path: readonly string[]): string
  help(path: readonly string[]): string | undefined
  value(path: readonly string[], value: string): string
}

export function useGatewayLabels(): GatewayLabels {
  const t = useTranslator(gatewayTexts)
  const findText = (key: string): string | undefined => (isTextKey(key) ? t(key) : undefined)
  const buildKey = (path: readonly string[]): string => path.map(toKeyPart).join('_')
  const value = (path: readonly string[], name: string): string =>
    findText(`is_${buildKey(path)}_${toKeyPart(name)}`) ?? findText(`is_${toKeyPart(name)}`) ?? name
  return {
    t,
    channel: (channel) => t(channel),
    kind: (kind) => findText(`kind_${toKeyPart(kind)}`) ?? kind,
    kindWhy: (kind) => findText(`why_${toKeyPart(kind)}`) ?? '',
    label: (path) => findText(`at_${buildKey(path)}`) ?? path.at(-1) ?? '',
    help: (path) => findText(`help_${buildKey(path)}`),
    value,
  }
}
