"""What a crawl promises, against a site on loopback."""
