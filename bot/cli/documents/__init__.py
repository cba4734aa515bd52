"""Commands about documents: what is indexed, crawled, uploaded, and why it is found."""
