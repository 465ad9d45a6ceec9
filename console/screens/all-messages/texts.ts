import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const allMessagesTexts = defineTextCatalogue(en, () => import('./fr.ts'))
