import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const rcsMessageTexts = defineTextCatalogue(en, () => import('./fr.ts'))
