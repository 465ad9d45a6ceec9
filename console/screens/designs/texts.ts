import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const designScreenTexts = defineTextCatalogue(en, () => import('./fr.ts'))
