import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const designTexts = defineTextCatalogue(en, () => import('./fr.ts'))
