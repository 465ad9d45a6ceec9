import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const criteriaTexts = defineTextCatalogue(en, () => import('./fr.ts'))
