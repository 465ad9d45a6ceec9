import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const emailTexts = defineTextCatalogue(en, () => import('./fr.ts'))
