import { defineTextCatalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const notificationTexts = defineTextCatalogue(en, () => import('./fr.ts'))
