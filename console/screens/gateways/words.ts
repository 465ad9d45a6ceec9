import type { Translator } from '../../text/catalogue.ts'
import { useTranslator } from '../../text/catalogue.ts'
import en from './en.ts'
import type { ApiGatewayChannel } from './model.ts'
import { gatewayTexts } from './texts.ts'

type Key = keyof typeof en

const isKey = (key: string): key is Key => key in en
const plain = (name: string): string => name.replaceAll(/\W/g, '_')

/** Words for what the definitions of gateways name; a setting that has none yet is called by its own name. */
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
  const word = (key: string): string | undefined => (isKey(key) ? t(key) : undefined)
  const at = (path: readonly string[]): string => path.map(plain).join('_')
  const value = (path: readonly string[], name: string): string =>
    word(`is_${at(path)}_${plain(name)}`) ?? word(`is_${plain(name)}`) ?? name
  return {
    t,
    channel: (channel) => t(channel),
    kind: (kind) => word(`kind_${plain(kind)}`) ?? kind,
    kindWhy: (kind) => word(`why_${plain(kind)}`) ?? '',
    label: (path) => word(`at_${at(path)}`) ?? path.at(-1) ?? '',
    help: (path) => word(`help_${at(path)}`),
    value,
  }
}
