import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const capturedTexts = defineTextCatalogue(en, () => import('./fr.ts'))
