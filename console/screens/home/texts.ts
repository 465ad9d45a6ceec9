import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const homeTexts = defineTextCatalogue(en, () => import('./fr.ts'))
