import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const phoneTexts = defineTextCatalogue(en, () => import('./fr.ts'))
