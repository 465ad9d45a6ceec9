import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const contactPageTexts = defineTextCatalogue(en, () => import('./fr.ts'))
