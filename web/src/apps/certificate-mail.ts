/** Let's Encrypt ended its own reminders: https://letsencrypt.org/2025/06/26/expiration-notification-service-has-ended */
export const certificateMailHelp =
  'Let’s Encrypt asks for it and sends no reminders. Homeport notifies you when the app’s checks see a certificate that ends soon.';
