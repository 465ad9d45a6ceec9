import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const developerTexts = defineTextCatalogue(en, () => import('./fr.ts'))
