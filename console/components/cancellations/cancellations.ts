import { useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { cancellationTexts } from './texts.ts'

type TextKey = keyof typeof en

/** The words of cancellations, by their type. */
const CANCELLATION_KEYS: Readonly<Record<string, TextKey>> = {
  'action deleted': 'deleted',
  attachment: 'attachment',
  bounce: 'bounce',
  capping: 'capping',
  configuration: 'configuration',
  consent: 'consent',
  country: 'country',
  'duplicate address': 'duplicate',
  'empty address': 'empty',
  expired: 'expired',
  'invalid address': 'invalid',
  'marketing pressure': 'pressure',
  'no subscription': 'device',
  'opted out': 'optedOut',
  'recipient not found': 'gone',
  redlist: 'listed',
  'render error': 'render',
  'user defined policy': 'policy',
}

/** The words for a cancellation by its type; the type itself where there are none. */
export function useCancellationLabel(): (type: string) => string {
  const t = useTranslator(cancellationTexts)
  return (type) => {
    const key = CANCELLATION_KEYS[type]
    return key ? t(key) : type
  }
}
