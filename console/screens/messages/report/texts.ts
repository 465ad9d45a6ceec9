import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const reportTexts = defineTextCatalogue(en, () => import('./fr.ts'))
