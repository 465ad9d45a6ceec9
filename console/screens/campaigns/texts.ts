import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const campaignTexts = defineTextCatalogue(en, () => import('./fr.ts'))
