import type { Translator } from '../../../text/catalogue.ts'
import en from './en.ts'

export type WorkflowFieldTranslator = Translator<typeof en>

const known = (t: WorkflowFieldTranslator, key: string, otherwise: string): string =>
  key in en ? t(key as keyof typeof en) : otherwise

/** What a type of event is called. */
export const workflowEventLabel = (t: WorkflowFieldTranslator, type: string): string =>
  known(t, `event-${type.replaceAll(/\W/g, '-')}`, type)

/** What one of the interface's choices is called; words of everybody, such as GET, stay. */
export const workflowChoiceLabel = (t: WorkflowFieldTranslator, word: string): string =>
  known(t, word.startsWith('day-') ? word : `is-${word}`, word)
