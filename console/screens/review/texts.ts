import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const reviewTexts = defineTextCatalogue(en, () => import('./fr.ts'))
