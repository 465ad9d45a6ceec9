import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const scriptTexts = defineTextCatalogue(en, () => import('./fr.ts'))
