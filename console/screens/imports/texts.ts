import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const importTexts = defineTextCatalogue(en, () => import('./fr.ts'))
