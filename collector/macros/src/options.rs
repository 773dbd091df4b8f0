//! Options between the attribute's parentheses.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, LitStr, Path, Token, parenthesized};

/// `name = "…", category = …, value = …, arguments(…), crate = …`
#[derive(Default)]
pub(crate) struct Options {
    name: Option<LitStr>,
    category: Option<Path>,
    value: Option<Expr>,
    pub(crate) arguments: Vec<Argument>,
    collector: Option<Path>,
}

/// `key` or `key = value`
pub(crate) struct Argument {
    key: Ident,
    pub(crate) value: Expr,
}

impl Argument {
    /// Its key as text.
    pub(crate) fn key(&self) -> String {
        let key = self.key.to_string();
        key.strip_prefix("r#").map_or_else(|| key.clone(), str::to_owned)
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self, Error> {
        let key: Ident = input.parse()?;
        let value =
            if input.parse::<Option<Token![=]>>()?.is_some() { input.parse()? } else { syn::parse_quote!(#key) };
        Ok(Self { key, value })
    }
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self, Error> {
        let mut options = Self::default();
        while !input.is_empty() {
            if input.parse::<Option<Token![crate]>>()?.is_some() {
                input.parse::<Token![=]>()?;
                options.collector = Some(input.call(Path::parse_mod_style)?);
            } else {
                options.option(input)?;
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Options {
    fn option(&mut self, input: ParseStream<'_>) -> Result<(), Error> {
        let key: Ident = input.parse()?;
        if key == "arguments" {
            let inner;
            parenthesized!(inner in input);
            self.arguments.extend(Punctuated::<Argument, Token![,]>::parse_terminated(&inner)?);
            return Ok(());
        }
        input.parse::<Token![=]>()?;
        match key.to_string().as_str() {
            "name" => self.name = Some(input.parse()?),
            "category" => self.category = Some(input.parse()?),
            "value" => self.value = Some(input.parse()?),
            _ => {
                let message = "expected `name`, `category`, `value`, `arguments(…)` or `crate`";
                return Err(Error::new(key.span(), message));
            }
        }
        Ok(())
    }

    /// Path of the collector.
    pub(crate) fn collector(&self) -> TokenStream {
        self.collector.as_ref().map_or_else(|| quote!(::stepscope_collector), |path| quote!(#path))
    }

    /// The span's name.
    pub(crate) fn name_or(&self, function: &Ident) -> LitStr {
        self.name.clone().unwrap_or_else(|| LitStr::new(&function.to_string(), function.span()))
    }

    /// Its category: a name alone is one of the collector's.
    pub(crate) fn category(&self, collector: &TokenStream) -> TokenStream {
        match &self.category {
            None => quote!(#collector::Category::General),
            Some(path) => match path.get_ident() {
                Some(name) => quote!(#collector::Category::#name),
                None => quote!(#path),
            },
        }
    }

    /// Its number.
    pub(crate) fn value(&self) -> TokenStream {
        self.value.as_ref().map_or_else(|| quote!(0), |value| quote!(#value))
    }
}
