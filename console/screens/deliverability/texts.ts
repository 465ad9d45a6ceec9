import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const deliverabilityTexts = defineTextCatalogue(en, () => import('./fr.ts'))
