import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const messageTexts = defineTextCatalogue(en, () => import('./fr.ts'))
