import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const searchTexts = defineTextCatalogue(en, () => import('./fr.ts'))
