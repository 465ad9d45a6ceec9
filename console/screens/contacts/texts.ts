import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const contactTexts = defineTextCatalogue(en, () => import('./fr.ts'))
