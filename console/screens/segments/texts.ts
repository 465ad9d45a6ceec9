import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const segmentTexts = defineTextCatalogue(en, () => import('./fr.ts'))
