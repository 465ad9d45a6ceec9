import { defineTextCatalogue } from '../text/catalogue.ts'
import en from './en.ts'

export const componentTexts = defineTextCatalogue(en, () => import('./fr.ts'))
