import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const mailTexts = defineTextCatalogue(en, () => import('./fr.ts'))
