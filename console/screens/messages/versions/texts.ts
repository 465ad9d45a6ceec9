import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const versionTexts = defineTextCatalogue(en, () => import('./fr.ts'))
