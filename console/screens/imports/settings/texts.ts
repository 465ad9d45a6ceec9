import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const importSettingsTexts = defineTextCatalogue(en, () => import('./fr.ts'))
