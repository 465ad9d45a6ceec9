import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const smsTexts = defineTextCatalogue(en, () => import('./fr.ts'))
