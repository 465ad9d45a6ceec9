import type { Translator } from '../../../text/catalogue.ts'
import en from './en.ts'

export type WorkflowFieldTranslator = Translator<typeof en>

const translateIfKnown = (t: WorkflowFieldTranslator, key: string, otherwise: string): string =>
  key in en ? t(key as keyof typeof en) : otherwise

/** Label of an event type. */
export const workflowEventLabel = (t: WorkflowFieldTranslator, type: string): string =>
  translateIfKnown(t, `event-${type.replaceAll(/\W/g, '-')}`, type)

/** Label of a choice defined by the API; universal terms such as GET remain unchanged. */
export const workflowChoiceLabel = (t: WorkflowFieldTranslator, word: string): string =>
  translateIfKnown(t, word.startsWith('day-') ? word : `is-${word}`, word)
