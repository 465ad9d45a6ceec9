import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const settingsScreenTexts = defineTextCatalogue(en, () => import('./fr.ts'))
