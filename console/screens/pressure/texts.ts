import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const pressureTexts = defineTextCatalogue(en, () => import('./fr.ts'))
