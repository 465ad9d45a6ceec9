import { defineTextCatalogue } from '../text/catalogue.ts'
import en from './en.ts'

export const layoutTexts = defineTextCatalogue(en, () => import('./fr.ts'))
