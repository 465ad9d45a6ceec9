import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const codeTexts = defineTextCatalogue(en, () => import('./fr.ts'))
