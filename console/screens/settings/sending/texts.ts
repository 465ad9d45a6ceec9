import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const sendingSettingsTexts = defineTextCatalogue(en, () => import('./fr.ts'))
